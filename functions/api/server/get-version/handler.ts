import { pmmVersion } from '../../../pmm/declarations/version.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  (_request, { build, dashboards = {}, pmmCompatibility = true }) => {
    // PMM serves this path too: its programs decide by the version whether, and with which generation, they go on.
    const version = pmmCompatibility ? pmmVersion(3, build) : { version: build.version };
    return Promise.resolve({ body: { ...version, build: { ...build }, dashboards: { ...dashboards }, api: 'v1' } });
  },
);
