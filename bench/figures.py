"""What a benchmark found: printed as a table for people, or as one JSON line a figure."""

import json
import statistics


def median(values):
    return statistics.median(values)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Report:
    """Collects figures. With `as_json` each is printed as it is found, else the table at the end."""

    def __init__(self, as_json):
        self._as_json = as_json
        self._figures = []

    def add(self, name, value, unit, settings, ratio_to=None, ratio=None):
        figure = {"name": name, "value": round(value, 6), "unit": unit, "ratio_to": ratio_to,
                  "ratio": None if ratio is None else round(ratio, 4), "settings": settings}
        self._figures.append(figure)
        if self._as_json:
            print(json.dumps(figure), flush=True)

    def print_table(self):
        if self._as_json or not self._figures:
            return
        rows = [("figure", "value", "unit", "ratio", "to", "settings")]
        rows += [self._cells(figure) for figure in self._figures]
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        for row in rows:
            print(f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:<{widths[2]}}  {row[3]:>{widths[3]}}  "
                  f"{row[4]:<{widths[4]}}  {row[5]}")

    @staticmethod
    def _cells(figure):
        value = figure["value"]
        shown = f"{value:,.0f}" if value >= 1000 else f"{value:,.3f}"
        ratio = "" if figure["ratio"] is None else f"{figure['ratio']:.2f}"
        settings = ", ".join(f"{key}={value}" for key, value in figure["settings"].items())
        return figure["name"], shown, figure["unit"], ratio, figure["ratio_to"] or "", settings
