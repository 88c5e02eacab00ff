"""The life of a host with a client generated from swagger/pmm.json, by the calls of both generations of PMM."""

import ssl
import sys

from pmm import AuthenticatedClient
from pmm.api.pmm_2 import v2_nodes_list
from pmm.api.pmm_3 import add_managed_service, add_node, change_service, get_service, list_agents, register_node, remove_node
from pmm.models import (
    AddManagedServiceRequest,
    AddNodeRequest,
    AddRemoteNodeParams,
    AddPostgresqlRequest,
    ChangeServiceRequest,
    NodeType,
    RegisterNodeRequest,
    V2NodesListBody,
)

base, key, ca_file = sys.argv[1:]
client = AuthenticatedClient(base_url=base, token=key, verify_ssl=ssl.create_default_context(cafile=ca_file))

host = register_node.sync(
    client=client,
    body=RegisterNodeRequest(node_name="pmm-python", node_type=NodeType.NODE_TYPE_GENERIC_NODE, address="192.0.2.8"),
)
node_id, agent_id = host.generic_node.node_id, host.pmm_agent.agent_id
postgresql = AddPostgresqlRequest(
    node_id=node_id, pmm_agent_id=agent_id, service_name="pmm-python-pg", username="u", address="192.0.2.8", port=5432
)
added = add_managed_service.sync(client=client, body=AddManagedServiceRequest(postgresql=postgresql)).postgresql
change_service.sync(added.service.service_id, client=client, body=ChangeServiceRequest(environment="prod"))
service = get_service.sync(added.service.service_id, client=client).postgresql
agents = list_agents.sync(client=client, service_id=service.service_id)
remote = add_node.sync(
    client=client, body=AddNodeRequest(remote=AddRemoteNodeParams(node_name="pmm-python-remote", address="db"))
).remote
names = [node.node_name for node in v2_nodes_list.sync(client=client, body=V2NodesListBody()).remote]
for one in (node_id, remote.node_id):
    remove_node.sync_detailed(one, client=client, force=True)
print(host.generic_node.node_name, service.environment, len(agents.postgres_exporter), names)
