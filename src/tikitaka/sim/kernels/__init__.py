"""The pitch's physics. Floats and arrays in and out; no objects, no exceptions.

Arrays are indexed [env, robot] and worked on in place; `tables` says what is in which.
"""
