"""Fill an empty Tryton database with the demo shop, and print the key of its REST interface.

Runs in Tryton's own virtual environment, never in tm's:

    python erp_shop.py trytond.conf
"""

from __future__ import annotations

import sys
from datetime import date
from decimal import Decimal

from proteus import Model, Wizard, config

SHOP = "Kupferkanne & Co."
VAT = Decimal("0.20")
CUSTOMERS = (
    (
        "K-1001",
        "Teehaus Morgenrot",
        "Lindenweg 3",
        "1010",
        "Musterhausen",
        "kontakt@morgenrot.example",
    ),
    ("K-1002", "Café Ährenfeld", "Am Markt 1", "2020", "Beispielstadt", "post@aehrenfeld.example"),
    (
        "K-1003",
        "Pension Seeblick",
        "Uferstraße 17",
        "3030",
        "Musterhausen",
        "buero@seeblick.example",
    ),
    ("K-1004", "Gasthof Zur Probe", "Hauptplatz 8", "4040", "Probstein", "gast@zurprobe.example"),
)
INVOICES = (
    ("K-1001", date(2026, 3, 2), "Spring order", (("Copper kettle 1.2 l", 2, "49.50"),)),
    (
        "K-1002",
        date(2026, 3, 9),
        "Opening",
        (("Espresso cup, set of 6", 4, "18.75"), ("Milk jug 0.5 l", 3, "12.40")),
    ),
    (
        "K-1001",
        date(2026, 4, 1),
        "",
        (("Tea strainer", 10, "3.95"), ("Green tea 250 g", 6, "8.20")),
    ),
)


def find(model: str, *domain: tuple) -> list:
    """Return the records that match every condition."""
    return Model.get(model).find(list(domain))


def grant_all_groups(settings) -> None:
    """Give the administrator every group: a new database gives it few."""
    user = Model.get("res.user")(settings.user)
    known = {group.id for group in user.groups}
    for group in find("res.group"):
        if group.id not in known:
            user.groups.append(Model.get("res.group")(group.id))
    user.save()


def make_company(settings):
    """Make the shop's company in euros and work inside it."""
    euro = Model.get("currency.currency")(name="Euro", symbol="€", code="EUR", numeric_code="978")
    euro.rounding, euro.digits = Decimal("0.01"), 2
    euro.rates.new(rate=Decimal(1), date=date(2020, 1, 1))
    euro.save()
    party = Model.get("party.party")(name=SHOP, code="SHOP")
    party.save()
    wizard = Wizard("company.company.config")
    wizard.execute("company")
    wizard.form.party, wizard.form.currency = party, euro
    wizard.execute("add")
    (company,) = find("company.company")
    user = Model.get("res.user")(settings.user)
    user.companies.append(Model.get("company.company")(company.id))
    user.company = company
    user.save()
    settings._context = Model.get("res.user").get_preferences(True, settings.context)
    return company


def account(kind: str):
    """Return the account for money owed to or by the shop, or earned by it."""
    party_kinds = ("receivable", "payable")
    parties = [("party_required", "=", True)] if kind in party_kinds else []
    hits = find("account.account", (f"type.{kind}", "=", True), *parties)
    return next(hit for hit in hits if not hit.childs)


def make_accounts(settings, company) -> None:
    """Make the chart of accounts, so that invoices can be posted."""
    root = Model.get("ir.model.data").get_id("account.account_template_root_en", settings.context)
    wizard = Wizard("account.create_chart")
    wizard.execute("account")
    wizard.form.account_template = Model.get("account.account.template")(root)
    wizard.form.company = company
    wizard.execute("create_account")
    wizard.form.account_receivable = account("receivable")
    wizard.form.account_payable = account("payable")
    wizard.form.category_account_expense = account("expense")
    wizard.form.category_account_revenue = account("revenue")
    wizard.execute("create_properties")


def make_sequence(company, kind: str, **options):
    """Return a gapless number sequence of the year."""
    (sequence_type,) = find("ir.sequence.type", ("name", "=", kind))
    sequence = Model.get("ir.sequence.strict")(name=f"{kind} 2026", company=company, **options)
    sequence.sequence_type = sequence_type
    sequence.save()
    return sequence


def make_year(company) -> None:
    """Open the year 2026 with its periods and invoice numbers."""
    year = Model.get("account.fiscalyear")(name="2026", company=company)
    year.start_date, year.end_date = date(2026, 1, 1), date(2026, 12, 31)
    year.move_sequence = make_sequence(company, "Account Move")
    numbers = make_sequence(company, "Invoice", prefix="INV-2026-", padding=3)
    (sequences,) = year.invoice_sequences
    for name in ("out_invoice", "in_invoice", "out_credit_note", "in_credit_note"):
        setattr(sequences, f"{name}_sequence", numbers)
    year.save()
    year.click("create_period")


def make_tax(company):
    """Return the value added tax."""
    (booked,) = find("account.account", ("code", "=", "6.3.6"))
    tax = Model.get("account.tax")(name="VAT 20 %", type="percentage", rate=VAT, company=company)
    tax.description = tax.name
    tax.invoice_account = tax.credit_note_account = booked
    tax.save()
    return tax


def make_customers() -> dict:
    """Return the customers by code."""
    customers = {}
    for code, name, street, postal_code, city, email in CUSTOMERS:
        party = Model.get("party.party")(name=name, code=code)
        address = party.addresses[0]
        address.street, address.postal_code, address.city = street, postal_code, city
        party.contact_mechanisms.new(type="email", value=email)
        party.save()
        customers[code] = party
    return customers


def make_invoice(customer, day, note, lines, *, tax, term) -> None:
    """Post one invoice; Tryton gives it its number."""
    invoice = Model.get("account.invoice")(type="out", party=customer, payment_term=term)
    invoice.invoice_date, invoice.description = day, note
    for text, quantity, price in lines:
        line = invoice.lines.new()
        line.description, line.quantity, line.unit_price = text, quantity, Decimal(price)
        line.account = account("revenue")
        line.taxes.append(Model.get("account.tax")(tax.id))
    invoice.save()
    invoice.click("post")


def make_shop(settings) -> None:
    """Make everything that the demo tenant's tools look up."""
    grant_all_groups(settings)
    company = make_company(settings)
    make_accounts(settings, company)
    make_year(company)
    tax = make_tax(company)
    term = Model.get("account.invoice.payment_term")(name="14 days")
    term.lines.new(type="remainder").relativedeltas.new(days=14)
    term.save()
    customers = make_customers()
    for code, day, note, lines in INVOICES:
        make_invoice(customers[code], day, note, lines, tax=tax, term=term)


def make_key(settings) -> str:
    """Return a new key for the REST interface."""
    user = Model.get("res.user")(settings.user)
    application = Model.get("res.user.application")(application="rest", user=user)
    application.save()
    return application.key


def main() -> None:
    """Fill the database `erp` of the configuration file and print the key."""
    settings = config.set_trytond(database="erp", config_file=sys.argv[1])
    settings.skip_warning = True  # invoices of a fixed year lie in the past or future: Tryton warns
    make_shop(settings)
    print(make_key(settings))


if __name__ == "__main__":
    main()
