#!/bin/sh
# A pipeline for a merge. It has a key of an Editor. Ends with 6 if the inventory has changed since the review.
set -eu
inventory apply plan.json
