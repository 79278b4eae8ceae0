process.stdout.write('one-write: nothing to show yet\n');

export {};
