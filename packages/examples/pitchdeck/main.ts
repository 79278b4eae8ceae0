process.stdout.write('pitchdeck: nothing to show yet\n');

export {};
