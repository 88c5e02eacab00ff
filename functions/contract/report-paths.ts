/**
 * The paths of reports: those of every contract that is `frequent`. The authorizer, which loads no contracts, compares
 * the route of a request with them.
 */
export const reportPaths: readonly string[] = ['/v1/agents/{agent_id}/report', '/v1/reports', '/v1/opamp'];
