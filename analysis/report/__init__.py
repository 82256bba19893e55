"""The report of one or more runs: one HTML file that needs nothing beside itself."""

from __future__ import annotations

from analysis.report.page import ReportFile, write_report, write_tuning_report

__all__ = ["ReportFile", "write_report", "write_tuning_report"]
