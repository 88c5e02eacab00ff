test('it passes', () => undefined);
