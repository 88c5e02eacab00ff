/** The folder of a host in which exporters find their credentials. The service knows none of them. */
export const CREDENTIALS = '/etc/monitoring-inventory/credentials';

/** A name that is a file name without further meaning. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The path of the credentials of a service without an extension: from its name, or from its id if the name is no file name. */
export function credentialsOf({
  service_id: id,
  service_name: name,
}: Record<'service_id' | 'service_name', string>): string {
  return `${CREDENTIALS}/${FILE_NAME.test(name) && !name.includes('..') ? name : id}`;
}
