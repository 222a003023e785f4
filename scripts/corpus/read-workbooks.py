"""Reads workbooks with openpyxl. Each line of the input is a path; each line of the output is JSON: the cells, or the error.

A cell is [sheet, row, column, kind, value, formula], rows and columns from 1. Dates stay numbers, as files have them.
"""

import json
import signal
import sys
import warnings

import openpyxl
import openpyxl.reader.excel as reader

warnings.simplefilter("ignore")
MOST_CELLS = 300_000
PATIENCE_S = 60
apply_stylesheet = reader.apply_stylesheet


def without_dates(archive, workbook):
    result = apply_stylesheet(archive, workbook)
    for name in ("_date_formats", "_timedelta_formats"):
        if hasattr(workbook, name):
            setattr(workbook, name, set())
    return result


reader.apply_stylesheet = without_dates


def cells_of(path):
    values = openpyxl.load_workbook(path, data_only=True, keep_links=False)
    formulas = openpyxl.load_workbook(path, keep_links=False)
    if not values.worksheets:
        raise ValueError("no sheet is read, such as of the strict dialect")
    cells = []
    for sheet in values.worksheets:
        with_formulas = formulas[sheet.title]
        for key, cell in sorted(sheet._cells.items()):
            formula = with_formulas._cells.get(key)
            text = formula.value if formula is not None and formula.data_type == "f" else None
            if text is not None and not isinstance(text, str):
                text = getattr(text, "text", None) or "{}"
            # The cells of a what-if table have no formula of their own.
            text = None if text == "=" else text
            if cell.value is None and text is None:
                continue
            value = cell.value
            if not isinstance(value, (str, int, float, bool)) and value is not None:
                value = str(value)
            cells.append([sheet.title, key[0], key[1], cell.data_type, value, text])
            if len(cells) > MOST_CELLS:
                raise OverflowError("too many cells to compare")
    return cells


def too_slow(*_):
    raise TimeoutError(f"more than {PATIENCE_S} s")


signal.signal(signal.SIGALRM, too_slow)
for line in sys.stdin:
    path = line.rstrip("\n")
    signal.alarm(PATIENCE_S)
    try:
        print(json.dumps({"cells": cells_of(path)}), flush=True)
    except BaseException as error:  # Files of other programs fail in many ways.
        print(json.dumps({"error": f"{type(error).__name__}: {error}"[:200]}), flush=True)
