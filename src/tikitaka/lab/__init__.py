"""Experiments and benchmarks: each printed table of the papers, and what the stack costs, from one command."""
