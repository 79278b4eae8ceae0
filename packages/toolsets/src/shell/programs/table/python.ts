import type { ProgramSpec, ProgramTable } from '../spec.js';
import { runsProject } from './project.js';

const python: ProgramSpec = {
  ...runsProject('python'),
  options: {
    '-c --config --config-file --rcfile --settings': 'load',
    '-p': 'value',
    '--rootdir': 'folder',
    '-o --output': 'write',
  },
  operands: ['...read/**'],
};

/** Programs of projects in Python, that run its configuration and its tests. */
export const pythonPrograms: ProgramTable = {
  pytest: {
    ...python,
    values: '-k -m -n --maxfail --tb --durations --cov-report --cov -W --timeout --dist',
    options: {
      '-c --config-file -p --confcutdir': 'load',
      '--rootdir': 'folder',
      '--junitxml --junit-xml --basetemp --log-file --html': 'write/**',
    },
  },
  'py.test': { like: 'pytest' },
  tox: python,
  nox: python,
  nosetests: python,
  coverage: {
    isLoose: true,
    commands: {
      run: {
        isLoose: true,
        isPosix: true,
        options: { '-m --module': 'entry:python -m' },
        operands: ['load:python', 'rest'],
        does: ['write .coverage', 'code:python ?'],
      },
      '*': { isLoose: true, does: ['write/** .', 'code:python ?'] },
    },
  },
  mypy: { ...python, does: ['code:python ?', 'write/** .mypy_cache'] },
  ruff: {
    isLoose: true,
    flags: '--fix --unsafe-fixes',
    options: { '--config': 'read', '-o --output-file': 'write' },
    commands: {
      check: {
        isLoose: true,
        operands: ['...read/**=.'],
        flags: '--fix --unsafe-fixes',
        does: ['write/** . if --fix --unsafe-fixes'],
      },
      format: {
        isLoose: true,
        flags: '--check --diff',
        operands: ['...read/**=.'],
        does: ['write/** . unless --check --diff'],
      },
      '*': { isLoose: true, operands: ['...read/**'] },
    },
  },
  black: {
    isLoose: true,
    flags: '--check --diff -q',
    options: { '--config': 'read', '-c --code': 'value' },
    operands: ['...read/** if --check --diff', '...write/** unless --check --diff'],
  },
  isort: {
    isLoose: true,
    flags: '--check --check-only --diff -c',
    options: { '--settings-path': 'read' },
    operands: [
      '...read/** if --check --check-only --diff -c',
      '...write/** unless --check --check-only --diff -c',
    ],
  },
  autopep8: {
    isLoose: true,
    flags: '-i --in-place',
    operands: ['...read unless -i --in-place', '...write if -i --in-place'],
  },
  flake8: python,
  pylint: python,
  bandit: python,
  sphinx: python,
  'sphinx-build': python,
  mkdocs: python,
  django: python,
  'django-admin': python,
  flask: { ...python, does: ['code:python ?', 'net.listen'] },
  uvicorn: { like: 'flask' },
  gunicorn: { like: 'flask' },
  celery: python,
  alembic: python,
  jupyter: { ...python, does: ['code:python ?', 'net.listen', 'write/** .'] },
  streamlit: { like: 'jupyter' },
};
