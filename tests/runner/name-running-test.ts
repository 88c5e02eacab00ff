/* Tells the runner which test begins, so that one that hangs has a name. jest-light-runner has no event for it, but sets this state. */
const setState = expect.setState.bind(expect);
expect.setState = (state) => {
  const { currentTestName } = state as { currentTestName?: string };
  if (currentTestName !== undefined) process.send?.({ test: currentTestName });
  setState(state);
};
