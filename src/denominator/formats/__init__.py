"""Readers and writers of qrels and runs."""
