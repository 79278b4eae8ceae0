process.stdout.write('two-references: nothing to show yet\n');

export {};
