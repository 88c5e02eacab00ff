# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  state:
    type: str
    choices: [present, absent]
    default: present
    description:
      - V(present) adds the object, or changes the fields that are given.
      - V(absent) removes it.
  reset:
    type: list
    elements: str
    default: []
    description:
      - Fields to clear, or to set to their default. Fields that are absent from the task keep their values.
  force:
    type: bool
    default: false
    description:
      - With O(state=absent), also remove the dependent objects. Without it, their existence is an error.
attributes:
  check_mode:
    support: full
    description: Reports the same as a real run, and changes nothing.
  diff_mode:
    support: full
    description: Shows the fields that change.
  idempotent:
    support: full
    description: A second run changes nothing.
"""
