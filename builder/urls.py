from django.urls import include, path

from builder import home

urlpatterns = [
    path("", home.home, name="home"),
    path("account/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]
