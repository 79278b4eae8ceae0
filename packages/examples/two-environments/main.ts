process.stdout.write('two-environments: nothing to show yet\n');

export {};
