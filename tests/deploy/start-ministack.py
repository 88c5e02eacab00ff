"""
Starts MiniStack with a larger quota of resources: a gateway that is expanded into resources (expand-definition.ts) exceeds that of
CloudFormation. The number of resources of the stack itself is asserted in infra/inventory.test.ts. Events of HTTP APIs get their
cookies as from AWS, in a list, which MiniStack 1.5.33 omits.
"""

import sys

from ministack.app import main
from ministack.services import apigateway
from ministack.services.cloudformation import engine

RESOURCES = 1000

quotas = {section: rest for section, *rest in engine._SECTION_QUOTAS}
noun, singular, _ = quotas["Resources"]
quotas["Resources"] = [noun, singular, RESOURCES]
engine._SECTION_QUOTAS = tuple((section, *rest) for section, rest in quotas.items())

run = apigateway.run_reentrant


def run_with_cookies(function, *arguments, **options):
    for event in arguments:
        if isinstance(event, dict) and event.get("version") == "2.0" and "cookie" in event.get("headers", {}):
            event["cookies"] = event["headers"].pop("cookie").split("; ")
    return run(function, *arguments, **options)


apigateway.run_reentrant = run_with_cookies

sys.exit(main())
