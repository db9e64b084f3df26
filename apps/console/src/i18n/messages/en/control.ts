/** How people steer what runs. */
export const control = {
  control: {
    pause: 'Pause',
    pauseHint: 'What runs finishes; nothing new begins, no retry either',
    resume: 'Resume',
    resumeHint: 'Lets the run go on',
    pausedBy: 'Paused by',
    mark: 'Decide its end',
    markTitle: 'Decide how “{task}” ends',
    markAs: 'It ends as',
    markHint: {
      skipped: 'What needs its success is skipped as well; what needs only its end goes on.',
      succeeded: 'What needs its success begins, without any output of this task.',
      failed: 'What needs its success is skipped, and the run fails; what needs its failure begins.',
    },
    markStops: 'It runs: its processes are stopped first, and it ends when they are gone.',
    markReason: 'Why',
    markReasonHint: 'Kept with the task and in the audit',
    markYes: 'Decide',
    rerunFrom: 'Run again from here',
    withDescendants: 'With everything that depends on it',
    unmet: '{task} cannot run: {reason}. Choose what it needs as well.',
    parameters: 'Parameters',
    changed: 'unchanged | {count} changed | {count} changed',
    keptHadOld: 'What is kept was made with the earlier values.',
  },
};
