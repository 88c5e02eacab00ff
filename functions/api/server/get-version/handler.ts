import { pmmVersion } from '../../../pmm/declarations/version.ts';
import { DEFAULT_OWNER_LABEL } from '../../../domain/fields/owner-label.ts';
import { recordDays } from '../../../store/table/record-retention.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  (_request, { build, dashboards = {}, pmmCompatibility = true, ownerLabel = DEFAULT_OWNER_LABEL, reportUrl }) => {
    // PMM serves this path too: its programs decide by the version whether, and with which generation, they go on.
    const version = pmmCompatibility ? pmmVersion(3, build) : { version: build.version };
    const settings = {
      dashboards: { ...dashboards },
      owner_label: ownerLabel,
      report_url: reportUrl,
      retention_days: recordDays(),
    };
    return Promise.resolve({ body: { ...version, build: { ...build }, ...settings, api: 'v1' } });
  },
);
