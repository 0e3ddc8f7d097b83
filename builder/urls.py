from allauth.account.views import email
from django.urls import include, path, re_path

from builder import (
    confirmations,
    health,
    home,
    import_views,
    invitations,
    legal,
    metrics,
    once,
    paste_views,
    streams,
    trash_views,
)
from builder.wizard import views as wizard
from sheets import rules_page, sheet_list
from sheets.account import download
from sheets.account import views as account
from sheets.api import docs_page
from sheets.api import views as api
from sheets.export.views import files, paper, preview
from sheets.faces import views as faces
from sheets.history import views as history
from sheets.notifications import views as notifications
from sheets.pages.views import compare, notes, samples, sharing
from sheets.parties.views import (
    handouts,
    house,
    invitation,
    library,
    membership,
    opponents,
    party,
    placement,
    pregens,
    printing,
    scenes,
    settings,
)
from sheets.reports import views as reports
from sheets.reviews.views import queue, review, verify
from sheets.rolls import views as rolls
from sheets.signed_in import signed_in
from sheets.stage.views import asked, messages, press, sheet, table, table_press, waiting
from sheets.validator import views as validator

handler404 = "builder.error_pages.missing"
handler500 = "builder.error_pages.failed"
urlpatterns = [
    path("", home.home, name="home"),
    path("build/<slug:slug>/", wizard.begin, name="begin"),
    path("drafts/<uuid:pk>/", wizard.draft, name="draft"),
    path("drafts/<uuid:pk>/<slug:slug>/", wizard.step, name="step"),
    path("sheets/", sheet_list.my_sheets, name="mine"),
    path("sheets/trash/", trash_views.trash, name="trash"),
    path("sheets/together/<slug:layout>.pdf", printing.together, name="together"),
    path("opponents/", library.library, name="library"),
    path("opponents/encounters/<uuid:pk>/", library.encounter, name="encounter"),
    path("opponents/encounters/<uuid:pk>/<slug:layout>.pdf", printing.encounter_pdf, name="encounter-pdf"),
    path("sheets/<uuid:pk>/", sheet.page, name="sheet"),
    path("sheets/<uuid:pk>/picture/", faces.picture, name="picture"),
    path("sheets/<uuid:pk>/portrait-<int:size>.webp", faces.portrait, name="portrait"),
    path("sheets/<uuid:pk>/preview.png", preview.public_preview, name="preview"),
    path("sheets/<uuid:pk>/sheet.pdf", paper.pdf, name="pdf"),
    path("sheets/<uuid:pk>/print/", paper.print_page, name="print"),
    path("sheets/<uuid:pk>/print/<int:number>.png", paper.page_picture, name="page-picture"),
    path("sheets/<uuid:pk>/play/", press.play, name="play"),
    path("sheets/<uuid:pk>/landed/", sheet.pending_effects, name="landed"),
    path("sheets/<uuid:pk>/keep/", notes.save_or_share, name="keep"),
    path("sheets/<uuid:pk>/export/", files.page, name="export"),
    path("sheets/<uuid:pk>/export.<slug:form>", files.file, name="file"),
    path("shared/<slug:token>/", sharing.shared, name="shared"),
    path("parties/", party.my_parties, name="parties"),
    path("parties/<uuid:pk>/", party.party, name="party"),
    path("parties/<uuid:pk>/settings/", settings.settings, name="party-settings"),
    path("parties/<uuid:pk>/table/", table.table, name="table"),
    path("parties/<uuid:pk>/table/play/", table_press.play, name="table-play"),
    path("parties/<uuid:pk>/table/messages/", messages.talk, name="table-messages"),
    path("parties/<uuid:pk>/table/waiting/", waiting.waiting, name="waiting"),
    path("parties/<uuid:pk>/table/asked/", asked.asked, name="asked"),
    path("parties/<uuid:pk>/opponents/", opponents.opponents_page, name="opponents"),
    path("parties/<uuid:pk>/members/<int:number>/", membership.member, name="member"),
    path("parties/<uuid:pk>/leave/", membership.leave, name="leave"),
    path("parties/<uuid:pk>/end/", membership.end, name="end"),
    path("parties/<uuid:pk>/house/", house.house, name="house"),
    path("parties/<uuid:pk>/ready/", pregens.ready, name="ready"),
    path("parties/<uuid:pk>/scenes/", scenes.scenes, name="scenes"),
    path("parties/<uuid:pk>/scenes/now/", scenes.now, name="scene-now"),
    path("parties/<uuid:pk>/scenes/<uuid:uuid>/", scenes.scene, name="scene"),
    path("parties/<uuid:pk>/scenes/<uuid:uuid>/log.<slug:form>", scenes.scene_file, name="scene-file"),
    path("parties/<uuid:pk>/evenings/", scenes.evening),
    path("parties/<uuid:pk>/evenings/<int:number>/", scenes.evening),
    path("parties/<uuid:pk>/evenings/<int:number>/log.<slug:form>", scenes.evening),
    path("parties/<uuid:pk>/handouts/", handouts.handouts_page, name="handouts"),
    path("parties/<uuid:pk>/handouts/<int:number>/", handouts.handout, name="handout"),
    path("parties/<uuid:pk>/handouts/<int:number>/<slug:size>.webp", handouts.handout_picture,
         name="handout-picture"),
    path("parties/<uuid:pk>/print/", printing.print_party, name="party-print"),
    path("parties/<uuid:pk>/print/<slug:layout>-<int:number>.pdf", printing.party_pdf, name="party-pdf"),
    path("sheets/<uuid:pk>/place/", placement.place, name="place"),
    path("sheets/<uuid:pk>/remark/", notes.remark, name="remark"),
    path("sheets/<uuid:pk>/history/", history.history, name="history"),
    path("sheets/<uuid:pk>/review/", review.review, name="review"),
    path("reviews/", queue.queue, name="reviews"),
    path("verify/", verify.verify, name="verify"),
    path("verify/<slug:code>/", verify.verified, name="verified"),
    path("notifications/", notifications.notifications, name="notifications"),
    path("join/<slug:token>/", invitation.join, name="join"),
    path("shared/<slug:token>/portrait-<int:size>.webp", faces.shared_portrait, name="shared-portrait"),
    path("shared/<slug:token>/preview.png", preview.shared_preview, name="shared-preview"),
    path("shared/<slug:token>/sheet.pdf", paper.shared_pdf, name="shared-pdf"),
    path("shared/<slug:token>/export.<slug:form>", files.shared_file, name="shared-file"),
    path("sheets/<uuid:pk>/report/", reports.report, name="report"),
    path("shared/<slug:token>/report/", reports.shared_report, name="shared-report"),
    path("reports/", reports.reports, name="reports"),
    path("reports/<uuid:pk>/portrait-<int:size>.webp", reports.reported_portrait, name="reported-portrait"),
    path("dice/<slug:slug>/", rolls.dicebox, name="dicebox"),
    path("samples/<slug:slug>/<slug:which>/", samples.sample_page, name="sample"),
    path("compare/<slug:slug>/", compare.compare, name="compare"),
    path("rules/<slug:slug>/", rules_page.rules, name="rules"),
    path("rules/<slug:slug>/blank.pdf", paper.blank_pdf, name="blank-pdf"),
    path("paste/", paste_views.paste, name="paste"),
    path("done/<uuid:key>/", once.done, name="done"),
    path("import/", import_views.bring, name="import"),
    path("validate/", validator.validator, name="validator"),
    path("api/v1/docs", docs_page.page, name="api"),
    path("api/v1/", include(api.patterns())),
    path("account/", account.account, name="account"),
    path("account/mail/", account.mail, name="account_mail"),
    path("account/download/", download.download, name="account_download"),
    path("account/delete/", account.delete, name="account_delete"),
    re_path(r"^account/confirm-email/(?P<key>[-:\w]+)/$", confirmations.Confirm.as_view(),
            name="account_confirm_email"),
    path("account/email/", signed_in(email), name="account_email"),
    path("account/", include("allauth.urls")),
    path("invited/<slug:token>/", invitations.invited, name="invited"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("imprint/", legal.imprint, name="imprint"),
    path("privacy/", legal.privacy, name="privacy"),
    path("live/<slug:topic>/<uuid:pk>/", streams.passed_on, name="live"),
    path("live/link/<slug:token>/", streams.passed_on, name="live-link"),
    path("live/queue/", streams.passed_on, name="live-queue"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("health/", health.health, name="health"),
    path("health/ready/", health.ready, name="health-ready"),
    path("i18n/", include("django.conf.urls.i18n")),
]
