import { lazily } from '../../../shared/core/lazily.ts';
import { text } from '../../../shared/core/text.ts';
import { filterText, shortText } from '../fields/common-fields.ts';
import { lifeOptions } from '../fields/liveness.ts';
import type { Option } from '../fields/options.ts';

/** A function, because most functions need none of these schemas. */
export const options = lazily(
  () =>
    ({
      machine_id: { schema: shortText, description: 'Identifier of the operating system installation. Not unique.' },
      distro: { schema: shortText, description: 'Operating system distribution and version.' },
      container_id: { schema: text({ max: 255 }), description: 'Identifier of the container; unique.' },
      container_name: { schema: shortText, description: 'Name of the container.' },
      node_model: { schema: shortText, description: 'Hardware model or instance class.' },
      region: { schema: filterText, description: 'Region of the cloud provider. The address is unique in a region.' },
      az: { schema: filterText, description: 'Availability zone.' },
      instance_id: { schema: shortText, description: 'Name of the instance at the cloud provider.' },
      ...lifeOptions(),
    }) as const satisfies Record<string, Option>,
);

export type NodeOption = keyof ReturnType<typeof options>;
