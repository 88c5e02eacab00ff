/** Only Linux has all of 127.0.0.0/8 on its loopback interface; elsewhere such a test would show nothing. */
export const onLinux = process.platform === 'linux' ? test : test.skip;
