import { ApiError } from '../../../shared/http/errors.ts';
import { TableFault } from '../../../shared/db/table-fault.ts';
import { CHANGE_SECONDS } from '../../store/table/keys.ts';
import { isSetUp } from '../../store/table/health-check.ts';
import { PMM_VERSION } from '../declarations/version.ts';
import type { Operation, Operations } from '../wire/call.ts';
import { textIn } from '../wire/input.ts';
import { GrpcError } from '../wire/errors.ts';

/** A parameter by which the tests of PMM's clients ask for errors. */
const ERROR_ASKED = /^grpccode-([0-9]{1,2})$/;

export const getPmmVersion: Operation = ({ input, generation, dependencies: { build } }) => {
  const dummy = textIn(input, 'dummy');
  const [, code] = ERROR_ASKED.exec(dummy) ?? [];
  if (code !== undefined) throw new GrpcError(Number(code));
  if (dummy.startsWith('panic-')) throw new ApiError('internal', 'Internal server error.');
  const version = PMM_VERSION[generation];
  const timestamp = build.time;
  return Promise.resolve({
    version,
    server: { version, full_version: version, timestamp },
    managed: { version, full_version: `${version}-monitoring-inventory.${build.version}`, timestamp },
    distribution_method: generation === 3 ? 'DISTRIBUTION_METHOD_UNSPECIFIED' : 'DISTRIBUTION_METHOD_INVALID',
  });
};

const isOff = {
  updates_enabled: false,
  telemetry_enabled: false,
  advisor_enabled: false,
  alerting_enabled: false,
  pmm_public_address: '',
  backup_management_enabled: false,
  azurediscover_enabled: false,
  enable_access_control: false,
};

const settings = {
  ...isOff,
  metrics_resolutions: { hr: '5s', mr: '10s', lr: '60s' },
  advisor_run_intervals: { standard_interval: '86400s', rare_interval: '280800s', frequent_interval: '14400s' },
  data_retention: `${CHANGE_SECONDS}s`,
  ssh_key: '',
  aws_partitions: [],
  default_role_id: 0,
  telemetry_summaries: [],
  update_snooze_duration: '0s',
  enable_internal_pg_qan: false,
};

export const serverOperations: Operations = {
  getPmmVersion,
  getSettings: () => Promise.resolve({ settings }),
  getReadOnlySettings: () => Promise.resolve({ settings: isOff }),
};

const getReadiness: Operation = async ({ dependencies: { table } }) => {
  const isReady = await isSetUp(table).catch((cause: unknown) => {
    if (cause instanceof TableFault) throw cause;
    throw new ApiError('unavailable', 'PMM Server is not ready yet.', { cause, fault: 'table_unreachable' });
  });
  if (!isReady) throw new ApiError('unavailable', 'PMM Server is not ready yet.');
  return {};
};

export const healthOperations: Operations = {
  getReadiness,
  getGrafanaHealth: async (call) => {
    await getReadiness(call);
    const { version, commit } = call.dependencies.build;
    return { commit, database: 'ok', version };
  },
};
