# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated from the contracts of the server by `npm run generate`: change those, not this file.


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  max_removals_percent:
    type: float
    description:
      - Share of the objects in the scope that may be removed, in percent. If more would be removed, nothing is changed.
      - The server's default is V(20).
"""
