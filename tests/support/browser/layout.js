// Answers a sentence for each thing that is wrong with the page as it stands: what, by how many pixels, what by.
// Nothing stays changed, and nothing moves but where the page is scrolled meanwhile.
({least, covered}) => {
  const found = new Set();
  const say = (one, what) => found.add(`${name(one)}: ${what}`);
  const px = (number) => `${Math.round(number * 10) / 10} px`;
  const root = document.documentElement, edge = root.clientWidth;
  const styles = new Map();
  const style = (one) => styles.get(one) ?? (styles.set(one, getComputedStyle(one)), styles.get(one));

  function name(one) {
    const of = (part) => part.localName + (part.id ? `#${part.id}` : [...part.classList].map((each) => `.${each}`)
      .join(""));
    const words = (one.innerText || one.value || one.getAttribute("aria-label") || "").trim().replace(/\s+/g, " ");
    return `${one.parentElement ? `${of(one.parentElement)} > ` : ""}${of(one)} “${words.slice(0, 40)}”`;
  }

  // What is meant for ears alone, is folded away or waits outside for the focus is not laid out for eyes.
  const aside = new Map();
  function unseen(one) {
    if (!one || one === root) return false;
    if (aside.has(one)) return aside.get(one);
    const of = style(one), box = one.getBoundingClientRect();
    const is = of.display !== "contents" && (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})
      || (box.width <= 1 && box.height <= 1 && of.overflowX !== "visible") || of.clipPath === "inset(50%)"
      || (of.position === "absolute" && box.bottom + scrollY <= 0)) || unseen(one.parentElement);
    aside.set(one, is);
    return is;
  }

  function sideways() {
    if (root.scrollWidth <= edge) return;
    const held = (one) => {
      for (let up = one.parentElement; up && up !== document.body; up = up.parentElement)
        if (style(up).overflowX !== "visible") return true;
      return false;
    };
    const wide = [...document.body.querySelectorAll("*")]
      .filter((one) => one.getBoundingClientRect().right > edge + 0.5 && !unseen(one) && !held(one));
    found.add(`scrolls sideways: ${root.scrollWidth} px of ${edge}`);
    for (const one of wide.slice(-3)) say(one, `reaches to ${px(one.getBoundingClientRect().right)} of ${edge}`);
  }

  // What a box does to the lines within it, looked up once: a page has many lines in few boxes.
  const boxes = new Map();
  function boxOf(up) {
    if (!boxes.has(up)) {
      const {display, webkitLineClamp, textOverflow, overflowX, overflowY, position} = style(up);
      boxes.set(up, display === "inline" || display === "contents" ? null : {
        at: up.getBoundingClientRect(), clamped: webkitLineClamp !== "none", ellipsis: textOverflow === "ellipsis",
        cutsX: /hidden|clip/.test(overflowX), cutsY: /hidden|clip/.test(overflowY), open: overflowX === "visible",
        // What scrolls shows the rest when it is asked to.
        ends: /auto|scroll/.test(overflowX + overflowY) || position === "fixed",
      });
    }
    return boxes.get(up);
  }

  // A line is cut off by whatever lets nothing be seen beyond its edge, and runs out of a box that does.
  function clipped(one, lines) {
    const held = holder(one);
    for (let up = one; up && up !== document.body; up = up.parentElement) {
      const box = boxOf(up);
      if (!box) continue;
      // What a fold or its summary shows the beginning of stands there whole once it is unfolded, and a row's head in its field.
      if (box.clamped && up.closest("summary, details:not([open])")) return;
      if (box.ellipsis && up.matches(".row > header h2")) return;
      if (box.cutsX || box.cutsY || (up === held && box.open)) {
        for (const line of lines) {
          const deep = line.height * 0.25, beyond = Math.max(line.right - box.at.right, box.at.left - line.left);
          const above = Math.max(line.bottom - deep - box.at.bottom, box.at.top - line.top - deep);
          if (box.cutsX && beyond > 1) return say(one, `cut off ${px(beyond)} at the side by ${name(up)}`);
          if (box.cutsY && above > 1) return say(one, `cut off ${px(above)} in height by ${name(up)}`);
          if (up === held && box.open && beyond > 1) return say(one, `runs ${px(beyond)} out of its box`);
        }
      }
      if (box.ends) return;
    }
  }

  function holder(one) {
    while (["inline", "contents"].includes(style(one).display)) one = one.parentElement;
    return one;
  }

  const WORD = /[\p{L}\p{M}'’\u00ad-]{2,}/gu, LETTER = /[\p{L}\p{M}]/u;
  function at(text, from, to) {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [...range.getClientRects()].filter((box) => box.width);
  }
  // (where a word goes on in another line although nothing says that it may end there)
  function broken(text, from, to) {
    const boxes = at(text, from, to);
    if (boxes.length < 2 || Math.abs(boxes[0].top - boxes.at(-1).top) < 2) return -1;
    let last = null;
    for (let place = from; place < to; place++) {
      const box = at(text, place, place + 1).at(-1);
      if (!box) continue;
      const within = LETTER.test(text.data[place - 1]) && LETTER.test(text.data[place]);
      if (last && box.top - last.top > 2 && within) return place;
      last = box;
    }
    return -1;
  }
  function words(text) {
    const one = text.parentElement;
    if (one.closest("code, pre, .code, textarea") || at(text, 0, text.length).length < 2) return;
    for (const word of text.data.matchAll(WORD)) {
      // Addresses and tokens are no words.
      const from = word.index, to = from + word[0].length;
      if (/[\d_/@:]/.test(text.data[from - 1] ?? "") || /[\d_/@]/.test(text.data[to] ?? "")) continue;
      const place = broken(text, from, to);
      if (place < 0) continue;
      // A browser that knows the language draws a hyphen there, and breaks the word even where it is not told to.
      const kept = [one.style.overflowWrap, one.style.wordBreak];
      one.style.overflowWrap = one.style.wordBreak = "normal";
      const hyphenated = style(one).hyphens === "auto" && broken(text, from, to) >= 0;
      [one.style.overflowWrap, one.style.wordBreak] = kept;
      const parted = `${text.data.slice(from, place)}|${text.data.slice(place, to)}`;
      if (!hyphenated) say(one, `the word “${parted}” is broken without a hyphen`);
    }
  }

  const SILENT = ["script", "style", "noscript", "option", "textarea", "title", "text"];
  function texts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const one = text.parentElement;
      if (!text.data.trim() || SILENT.includes(one.localName) || unseen(one)) continue;
      clipped(one, at(text, 0, text.length));
      words(text);
    }
    for (const one of document.querySelectorAll("input[type=number], input[inputmode=numeric]"))
      if (one.value && !unseen(one) && one.scrollWidth > one.clientWidth + 1)
        say(one, `its figure is ${px(one.scrollWidth)} wide in ${one.clientWidth}`);
  }

  const labelled = (one, hit) => one.contains(hit) || hit?.closest("label")?.control === one;
  const hits = (one, x, y) => labelled(one, document.elementFromPoint(x, y));
  // Whether a link stands within a sentence: words that are no link stand beside it.
  function running(one) {
    if (style(one).display !== "inline") return false;
    const block = holder(one);
    const letters = (part) => part.textContent.match(/\p{L}/gu)?.length ?? 0;
    return letters(block) > [...block.querySelectorAll("a, button")].reduce((sum, each) => sum + letters(each), 0);
  }

  const PRESSED = "a[href], button, summary, select, textarea, input:not([type=hidden])";
  function pressed() {
    const kept = [scrollX, scrollY];
    for (const one of document.querySelectorAll(PRESSED)) {
      if (unseen(one)) continue;
      const widest = () => [...one.getClientRects()].sort((a, b) => b.width * b.height - a.width * a.height)[0];
      let box = widest();
      if (!box) continue;
      if (box.top < 60 || box.bottom > innerHeight - 60 || box.left < 0 || box.right > edge) {
        one.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
        box = widest();
      }
      let x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      let hit = document.elementFromPoint(x, y);
      if (!labelled(one, hit)) {
        // It may have been out of sight in what scrolls within the page.
        one.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
        box = widest();
        [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        hit = document.elementFromPoint(x, y);
      }
      // What somebody opened over the page lies there until it is closed.
      const over = hit?.closest("details[open] > :is(.panel, .pop)");
      if (covered && !labelled(one, hit) && !(over && !over.contains(one)))
        say(one, hit ? `its centre is covered by ${name(hit)}` : `its centre lies at ${px(x)}, ${px(y)}, outside`);
      if (!least || running(one) || one.matches("dfn *, abbr *, .term")) continue;
      const whole = [box, ...[...one.labels ?? []].map((each) => each.getBoundingClientRect())];
      const wide = Math.max(...whole.map((each) => each.width)), high = Math.max(...whole.map((each) => each.height));
      const reach = least / 2 - 1;
      const far = (across, down) => hits(one, x + across, y + down) && hits(one, x - across, y - down);
      if (wide < least - 0.5 && !far(reach, 0)) say(one, `is ${px(wide)} wide to a finger`);
      if (high < least - 0.5 && !far(0, reach)) say(one, `is ${px(high)} high to a finger`);
    }
    scrollTo(...kept);
  }

  sideways();
  texts();
  if (covered || least) pressed();
  return [...found];
}
