/** On one machine the certificate is self-signed, and curl has to be told. */
const isThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** A line for the shell that works as it is, on this server. */
export const curl = (rest: string): string => `curl${isThisMachine ? ' -k' : ''} ${rest}`;
