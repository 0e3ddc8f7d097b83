from django.urls import include, path

from builder import health, home, importing, invitations, legal, pasting, wizard
from sheets import account, api, comparing, dicebox, exchange, mine, page, paper, reading, validator
from sheets.api import page as api_page
from sheets.parties import goings, pages, ruling

urlpatterns = [
    path("", home.home, name="home"),
    path("build/<slug:slug>/", wizard.begin, name="begin"),
    path("drafts/<uuid:pk>/", wizard.draft, name="draft"),
    path("drafts/<uuid:pk>/<slug:slug>/", wizard.step, name="step"),
    path("sheets/", mine.mine, name="mine"),
    path("sheets/<uuid:pk>/", page.page, name="sheet"),
    path("sheets/<uuid:pk>/sheet.pdf", paper.pdf, name="pdf"),
    path("sheets/<uuid:pk>/print/", paper.print_page, name="print"),
    path("sheets/<uuid:pk>/play/", page.play, name="play"),
    path("sheets/<uuid:pk>/keep/", page.keep, name="keep"),
    path("sheets/<uuid:pk>/export/", exchange.page, name="export"),
    path("sheets/<uuid:pk>/export.<slug:form>", exchange.file, name="file"),
    path("shared/<slug:token>/", page.shared, name="shared"),
    path("parties/", pages.mine, name="parties"),
    path("parties/<uuid:pk>/", pages.party, name="party"),
    path("parties/<uuid:pk>/members/<int:number>/", goings.member, name="member"),
    path("parties/<uuid:pk>/leave/", goings.leave, name="leave"),
    path("parties/<uuid:pk>/end/", goings.end, name="end"),
    path("parties/<uuid:pk>/house/", ruling.house, name="house"),
    path("join/<slug:token>/", goings.join, name="join"),
    path("dice/<slug:slug>/", dicebox.dicebox, name="dicebox"),
    path("compare/<slug:slug>/", comparing.compare, name="compare"),
    path("rules/<slug:slug>/", reading.rules, name="rules"),
    path("paste/", pasting.paste, name="paste"),
    path("import/", importing.bring, name="import"),
    path("validate/", validator.validator, name="validator"),
    path("api/v1/docs", api_page.page, name="api"),
    path("api/v1/", include(api.patterns())),
    path("account/", account.account, name="account"),
    path("account/download/", account.download, name="account_download"),
    path("account/delete/", account.delete, name="account_delete"),
    path("account/", include("allauth.urls")),
    path("invited/<slug:token>/", invitations.invited, name="invited"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("imprint/", legal.imprint, name="imprint"),
    path("privacy/", legal.privacy, name="privacy"),
    path("health/", health.health, name="health"),
    path("i18n/", include("django.conf.urls.i18n")),
]
