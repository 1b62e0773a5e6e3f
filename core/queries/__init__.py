"""Reads: functions that take a Reader and return the model's structs."""
