#!/usr/bin/env -S python3 -B
"""Northwind's customers, orders and products reach a target under three rules."""

import csv
import io
import os
import unittest

import world
from world import Number, on_each_engine, rest_connection, rule

DATA = world.SHARED / "data" / "northwind"
IDS = {"customers": "customerID", "orders": "orderID", "products": "productID"}

MAPPINGS = {
    "customers": {"company": "/companyName", "contact": {"template": "{/contactName}, {/contactTitle}"},
                  "/address/city": "/city", "/address/country": {"from": "/country", "transform": "upper"},
                  "phone": {"from": "/phone", "required": True}, "kind": {"value": "business"}},
    "orders": {"number": {"from": "/orderID", "transform": "as_number"}, "customer": "/customerID",
               "placed": {"from": "/orderDate", "transform": {"date": "%d.%m.%Y"}},
               "freight": {"from": "/freight", "transform": ["as_number", {"number": 1}]},
               "ship_to": {"template": "{/shipName}\n{/shipAddress}"}},
    "products": {"title": {"from": "/productName", "transform": ["trim", "lower"]},
                 "price": {"from": "/unitPrice", "transform": "as_number"}, "packing": "/quantityPerUnit",
                 "stock": "/unitsInStock"},
}


def rounded(text):
    """One decimal, half away from zero, on the digits."""
    whole, _, fraction = text.partition(".")
    tenths = int(whole) * 10 + int((fraction + "0")[0]) + (1 if (fraction + "00")[1] >= "5" else 0)
    return Number(f"{tenths // 10}.{tenths % 10}")


def expected_customer(row):
    return {"company": row["companyName"], "contact": f"{row['contactName']}, {row['contactTitle']}",
            "address": {"city": row["city"], "country": row["country"].upper()}, "phone": row["phone"],
            "kind": "business"}


def expected_order(row):
    year, month, day = row["orderDate"][:10].split("-")
    return {"number": Number(row["orderID"]), "customer": row["customerID"], "placed": f"{day}.{month}.{year}",
            "freight": rounded(row["freight"]), "ship_to": f"{row['shipName']}\n{row['shipAddress']}"}


def expected_product(row):
    return {"title": row["productName"].strip().lower(), "price": Number(row["unitPrice"]),
            "packing": row["quantityPerUnit"], "stock": row["unitsInStock"]}


EXPECTED = {"customers": expected_customer, "orders": expected_order, "products": expected_product}


def read_rows(domain):
    with open(DATA / f"{domain}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_csv(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@unittest.skipUnless(os.path.isdir(DATA), f"the sample data is not there: {DATA}")
class Northwind(world.SystemTest):

    @on_each_engine
    def test_all_agree_and_only_changes_are_sent_again(self, engine):
        w = self.world(engine)
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)],
                [rule(domain, domain=domain, mapping=mapping) for domain, mapping in MAPPINGS.items()])
        rows = {domain: read_rows(domain) for domain in IDS}
        for domain, id_field in IDS.items():
            w.must_import(domain, (DATA / f"{domain}.csv").read_text(), id_field=id_field, name=f"{domain}.csv")

        w.deliver()
        self.assert_all_agree(w, crm, rows)

        before = crm.state()
        w.deliver()
        self.assertEqual(crm.state(), before)

        self.change_ten(rows)
        for domain, id_field in IDS.items():
            w.must_import(domain, as_csv(rows[domain]), id_field=id_field, name=f"{domain}.csv")
        w.deliver()
        self.assert_all_agree(w, crm, rows)
        self.assertEqual(crm.requests() - before["requests"], 10)
        self.assertEqual(sum(crm.count(domain, "updates") for domain in IDS), 10)
        self.assertEqual(crm.count("orders", "updates"), 4)

    @staticmethod
    def change_ten(rows):
        for row in rows["customers"][5:8]:
            row["phone"] += " (new)"
        for row in rows["orders"][100:500:100]:
            row["freight"] = "1234.56"
        for row in rows["products"][:3]:
            row["productName"] = "Thé " + row["productName"]

    @staticmethod
    def assert_all_agree(w, crm, rows):
        for domain, id_field in IDS.items():
            w.assert_agree(crm, domain, {row[id_field]: EXPECTED[domain](row) for row in rows[domain]})


if __name__ == "__main__":
    world.main()
