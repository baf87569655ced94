"""Chromium shows every page under our own policy: nothing that a page needs is refused."""

import pytest
from playwright.sync_api import Browser, expect

from services.api.pages import PAGES
from tests.e2e.conftest import NewPerson, Running

pytestmark = pytest.mark.browser


def test_no_page_breaks_the_policy(service: Running, person: NewPerson) -> None:
    page = person(service.address)
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => console.error('Policy: ' + event.violatedDirective))"
    )
    for path in (*PAGES, "/outbox"):
        page.goto(path.replace("{token:str}", "x").replace("{id:str}", "x").replace("{day:str}", "2026-01-01"))
        expect(page.get_by_role("heading").first).to_be_visible()


def test_a_script_that_is_put_into_a_page_does_not_run(service: Running, chromium: Browser) -> None:
    page = chromium.new_page(base_url=service.address)
    page.goto("/about")
    refused = page.evaluate(
        """() => new Promise((done) => {
          addEventListener("securitypolicyviolation", (event) => done(event.violatedDirective));
          const script = document.createElement("script");
          script.textContent = "window.broken = true";
          document.body.append(script);
        })"""
    )
    assert refused.startswith("script-src")
    assert page.evaluate("window.broken") is None
    page.close()
