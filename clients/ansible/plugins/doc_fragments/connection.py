# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  url:
    type: str
    required: true
    description:
      - Address of the server.
      - Default is the environment variable E(INVENTORY_URL).
  api_key:
    type: str
    description:
      - API key. It is never logged.
      - Default is the environment variable E(INVENTORY_KEY).
  api_key_file:
    type: path
    description:
      - File with the API key, if O(api_key) is absent.
      - Default is the environment variable E(INVENTORY_KEY_FILE).
  ca_path:
    type: path
    description:
      - File with certificates of authorities in PEM.
      - Default is the environment variable E(INVENTORY_CA).
  validate_certs:
    type: bool
    default: true
    description:
      - If V(false), the certificate is not verified. Everybody on the network can then read the key.
  timeout:
    type: int
    default: 30
    description:
      - Longest time of an attempt, in seconds.
  attempts:
    type: int
    default: 4
    description:
      - Attempts of a request. Only requests that cannot have a second effect are repeated.
"""

    PLUGIN = r"""
options:
  url:
    type: str
    required: true
    description:
      - Address of the server.
    env:
      - name: INVENTORY_URL
  api_key:
    type: str
    description:
      - API key with the role Viewer.
    env:
      - name: INVENTORY_KEY
  api_key_file:
    type: path
    description:
      - File with the API key, if O(api_key) is absent.
    env:
      - name: INVENTORY_KEY_FILE
  ca_path:
    type: path
    description:
      - File with certificates of authorities in PEM.
    env:
      - name: INVENTORY_CA
  validate_certs:
    type: bool
    default: true
    description:
      - If V(false), the certificate is not verified. Everybody on the network can then read the key.
  timeout:
    type: int
    default: 30
    description:
      - Longest time of an attempt, in seconds.
  attempts:
    type: int
    default: 4
    description:
      - Attempts of a request.
"""
