"""One call each with the client: a node is added and read, then the inventory is exported and imported."""

import io
import sys

from monitoring_inventory import connect
from monitoring_inventory.api.bulk import export_inventory, import_inventory
from monitoring_inventory.api.nodes import add_node, get_node
from monitoring_inventory.models import AddGenericNode
from monitoring_inventory.types import File

base, key, ca_file = sys.argv[1:]
client = connect(base, key, ca=ca_file)

node = AddGenericNode(node_type="generic", node_name="from-python", address="192.0.2.8")
added = add_node.sync(client=client, body=node)
read = get_node.sync(added.node_id, client=client)
exported = export_inventory.sync_detailed(client=client).content
imported = import_inventory.sync(client=client, body=File(payload=io.BytesIO(exported)))
print(read.node_name, imported.unchanged, imported.refused)
