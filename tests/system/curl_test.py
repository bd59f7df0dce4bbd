#!/usr/bin/env -S python3 -B
"""The main job by curl alone: the README's own lines, run as they stand but for their addresses."""

import json
import re
import shutil
import subprocess

import world


def block_of_readme(heading):
    text = (world.SOURCES / "README.md").read_text()
    return re.search(rf"## {heading}\n.*?```sh\n(.*?)```", text, re.DOTALL)[1]


class Curl(world.SystemTest):

    def test_the_readme_s_lines_make_a_token_and_a_rule_post_records_and_show_them_delivered(self):
        if not shutil.which("curl"):
            self.skipTest("there is no curl")
        w = self.world(api={"listen": "127.0.0.1:0"})
        crm = w.crm()
        node = w.serve()
        address = re.search(r"api\.listening.* address=(\S+)", node.said())[1]
        lines = block_of_readme("The same with curl alone")
        self.assertIn("127.0.0.1:8400", lines)
        lines = lines.replace("127.0.0.1:8400", address).replace("http://127.0.0.1:8090", crm.url)
        setup, _, look = lines.partition("ask $node/v1/rules/customers/records/C3")
        script = ("set -e\n" + setup + "\necho\n"
                  "until ask $node/v1/rules/customers/ledger/counts | grep -q '\"delivered\": *1'; do sleep 0.1; done\n"
                  "ask $node/v1/rules/customers/records/C3" + look)
        done = subprocess.run(["bash", "-c", script], cwd=w.folder, capture_output=True, timeout=60, check=False)
        said = done.stdout.decode()
        self.assertEqual(done.returncode, 0, said + done.stderr.decode())
        self.assertEqual(list(crm.items("customers")), ["C3"])
        explained = json.loads(next(line for line in said.splitlines() if '"C3"' in line and "delivered" in line))
        self.assertEqual(explained["source_id"], "C3")
        self.assertEqual(node.terminate(), 0)


if __name__ == "__main__":
    world.main()
