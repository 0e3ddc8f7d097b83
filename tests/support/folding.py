"""Searches with what they find, and names in their order: for lists on both databases."""

SEARCHES = [
    ("ötzi", "Ötzi", True), ("OTZI", "Ötzi", True), ("oetzi", "Ötzi", True), ("Ötzi", "Oetzi", True),
    ("JÜRGEN", "Jürgen", True), ("juergen", "Jürgen", True), ("jurgen", "Jürgen", True), ("Jürgen", "JUERGEN", True),
    ("Ju\u0308rgen", "Jürgen", True), ("Jürgen", "Ju\u0308rgen", True), ("łukasz", "Łukasz", True),
    ("lukasz", "Łukasz", True), ("Łukasz", "lukasz", True), ("strasse", "Straße", True), ("STRASSE", "Straße", True),
    ("straße", "Strasse", True), ("STRAẞE", "Straße", True), ("Baur", "Bauer", True), ("Bauer", "Baur", True),
    ("bäur", "Bauer", True), ("Bäuerin", "Baeuerin", True), ("flaeche", "Fläche", True), ("fläche", "Flaeche", True),
    ("flache", "Fläche", True), ("groesse", "Größe", True), ("grösse", "Größe", True), ("größe", "Groesse", True),
    ("goethe", "Göthe", True), ("Göthe", "Goethe", True), ("rené", "Rene", True), ("rene", "René", True),
    ("RENÉ", "Rene\u0301", True), ("garcon", "Garçon", True), ("nino", "Niño", True), ("soren", "Søren", True),
    ("søren", "Soren", True), ("aegir", "Ægir", True), ("agir", "Ægir", True), ("aegir", "Ägir", True),
    ("er", "Bauer", True), ("ue", "Müller", True), ("mull", "Müller", True), ("muell", "Müller", True),
    ("Lena Anna", "Anna Lena", True), ("anna\u00a0lena", "Anna Lena", True), ("d'arc", "Jeanne d’Arc", True),
    ("anna–lena", "Anna-Lena", True), ("иван", "Иван", True), ("ИВАН", "иван", True), ("ορφεας", "Ορφέας", True),
    ("istanbul", "İstanbul", True), ("ﬁsch", "Fisch", True), ("fisch", "ﬁsch", True), ("\u200bzora", "Zora", True),
    ("zora", "Zo\u00adra", True), ("%", "Zora", False), ("_", "Zora", False), ("%", "Zu 100 %", True),
    ("Meier", "Maier", False), ("Zora", "Zara", False),
]
"""(what somebody looks for, a name, whether it is found)."""
NAMES = [
    "2 Brüder", "10 Brüder", "Aas", "Abel", "Achim", "ägir", "Ägir", "Agnes", "Ahorn", "Alba", "Älteste", "Anna",
    "Anna Zola", "Anna-Zora", "Annabel", "Bar", "Bär", "Bare", "Bärin", "Bauer", "Goblin", "Goblin 1", "Goblin 2",
    "Goblin 10", "Goblin 11", "Goblina", "masse", "Masse", "maße", "Maße", "Massen", "Öre", "Orla", "Rene", "René",
    "Renée", "Ulm", "Ünal", "Zora", "Иван",
]
"""Names in German order."""
