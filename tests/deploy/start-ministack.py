"""
Starts MiniStack with a larger quota of resources: a gateway that is expanded into resources (expand-definition.ts) exceeds that of
CloudFormation. The number of resources of the stack itself is asserted in infra/inventory.test.ts.
"""

import sys

from ministack.app import main
from ministack.services.cloudformation import engine

RESOURCES = 1000

quotas = {section: rest for section, *rest in engine._SECTION_QUOTAS}
noun, singular, _ = quotas["Resources"]
quotas["Resources"] = [noun, singular, RESOURCES]
engine._SECTION_QUOTAS = tuple((section, *rest) for section, rest in quotas.items())

sys.exit(main())
