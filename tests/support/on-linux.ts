/** A test that needs what only Linux has: strace, or all of 127.0.0.0/8 on the loopback interface. */
export const onLinux = process.platform === 'linux' ? test : test.skip;
