#!/usr/bin/env -S python3 -B
"""What is imported: bad lines are named, and what is well keeps its digits."""

import json

import world
from world import Number, fields_of, on_each_engine, records, rest_connection, rule

DIGITS = "1234567890123456789012345678901234567890"


def line(record):
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


BAD_LINES = {
    "not JSON": b"this is not JSON\n",
    "a list": b"[1, 2]\n",
    "no id": b'{"name": "nobody"}\n',
    "a NUL byte": b'{"id": "nul", "name": "a\x00b"}\n',
    "an escaped NUL": b'{"id": "nul", "name": "a\\u0000b"}\n',
    "invalid UTF-8": b'{"id": "latin", "name": "Gr\xf6\xdfe"}\n',
    "a million deep": b'{"id": "deep", "name": ' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}\n",
    "cut in the middle": b'{"id": "cut", "name": "half\n',
    "an id that is a list": b'{"id": [1], "name": "x"}\n',
}


class BadRecords(world.SystemTest):

    def ready(self, engine="sqlite", mapping=None):
        w = self.world(engine)
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule(mapping=mapping)])
        return w, crm

    def mirrored(self, w):
        return sorted(row[0] for row in w.query("SELECT source_id FROM mirror_records"))

    def test_one_bad_line_of_any_kind_keeps_the_whole_file_out(self):
        w, _ = self.ready()
        well = records(3)
        for what, bad in BAD_LINES.items():
            with self.subTest(what):
                done = w.import_records("customers", line(well[0]) + bad + line(well[1]))
                self.assertEqual(done.code, 1, done.err)
                self.assertIn("line 2: ", done.err)
                self.assertIn("1 of 3 records", done.err)
                self.assertNotIn("\x00", done.err)
                self.assertLess(len(done.err), 2000)
        self.assertEqual(self.mirrored(w), [])

    def test_the_first_twenty_bad_lines_are_listed(self):
        w, _ = self.ready()
        done = w.import_records("customers", line(records(1)[0]) + b"bad\n" * 25)
        self.assertEqual(done.code, 1)
        self.assertEqual(done.err.count("line "), 20, done.err)
        self.assertIn("line 21: ", done.err)
        self.assertIn("and 5 more", done.err)

    @on_each_engine
    def test_the_rest_is_imported_and_delivered_where_that_is_asked_for(self, engine):
        w, crm = self.ready(engine)
        well = records(3)
        bad = list(BAD_LINES.values())
        content = line(well[0]) + b"".join(bad) + line(well[1]) + line(well[2])
        done = w.import_records("customers", content, "--skip-invalid")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.mirrored(w), [record["id"] for record in well])
        self.assertEqual((w.folder / "customers.ndjson.rejected").read_bytes(), b"".join(bad))
        w.deliver()
        w.assert_agree(crm, "customers", fields_of(well))

    def test_bad_csv_is_named_by_line(self):
        w, _ = self.ready()
        csv = b'id,name,size\nA,"first\nsecond",1\nB,too few\nC,nul\x00,1\nD,latin \xf6,1\nE,well,1\n'
        done = w.import_records("customers", csv, name="customers.csv")
        self.assertEqual(done.code, 1)
        for number in (4, 5, 6):
            self.assertIn(f"line {number}: ", done.err)
        self.assertIn("3 of 5 records", done.err)
        self.assertEqual(self.mirrored(w), [])

    @on_each_engine
    def test_forty_digits_and_trailing_zeros_arrive_as_they_came(self, engine):
        w, crm = self.ready(engine, mapping={"number": "/number", "rate": "/rate", "list": "/list"})
        payload = f'{{"id":{DIGITS},"number":{DIGITS},"rate":1.0,"list":[-0.10,1.50E+3,{DIGITS}.00]}}\n'
        w.must_import("customers", payload)
        w.deliver()
        w.assert_agree(crm, "customers", {DIGITS: {
            "number": Number(DIGITS), "rate": Number("1.0"),
            "list": [Number("-0.10"), Number("1.50E+3"), Number(f"{DIGITS}.00")]}})


if __name__ == "__main__":
    world.main()
