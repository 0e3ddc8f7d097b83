from django.urls import include, path

from builder import home, wizard
from sheets import page, reading

urlpatterns = [
    path("", home.home, name="home"),
    path("build/<slug:slug>/", wizard.begin, name="begin"),
    path("drafts/<uuid:pk>/", wizard.draft, name="draft"),
    path("drafts/<uuid:pk>/<slug:slug>/", wizard.step, name="step"),
    path("sheets/<uuid:pk>/", page.page, name="sheet"),
    path("sheets/<uuid:pk>/roll/", page.roll, name="roll"),
    path("rules/<slug:slug>/", reading.rules, name="rules"),
    path("account/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]
