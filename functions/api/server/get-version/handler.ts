import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { endpoint } from './endpoint.ts';

/** What clients of PMM read besides: PMM 2 has no other call for the version. */
function forPmm({ version, commit, time: timestamp }: Dependencies['build']) {
  const build = { version, full_version: `${version}+${commit}`, timestamp };
  return { server: build, managed: build, distribution_method: 'DISTRIBUTION_METHOD_INVALID' };
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, (_request, { build, dashboards = {} }) => {
  const { version, ...rest } = build;
  return Promise.resolve({
    body: { version, build: rest, ...forPmm(build), dashboards: { ...dashboards }, api: 'v1' },
  });
});
