/** What the template says to people, in their language. */
export interface StarterWords {
  description: string;
  scheduleNote: string;
}

/** The text a new workflow begins with: it runs as it stands and shows the most used parts. */
export function starterTemplate(project: string, { description, scheduleNote }: StarterWords): string {
  return `medley: 1
project: ${project}
workflow: my-first-workflow
description: ${JSON.stringify(description)}

parameters:
  day: { type: date, default: "2026-01-01" }

defaults:
  timeout: 10m
  retry: { attempts: 3, delay: 5s, backoff: exponential }

# ${scheduleNote}
schedules:
  nightly:
    cron: "30 2 * * *"
    zone: Asia/Shanghai
    enabled: false

tasks:
  north:
    env: { DAY: "\${{ parameters.day }}" }
    run: |
      echo "fetching north for $DAY"
      sleep 2

  south:
    env: { DAY: "\${{ parameters.day }}" }
    run: |
      echo "fetching south for $DAY"
      sleep 3

  add-up:
    needs: [north, south]
    resources: { cpu: 0.5, memory: 128MiB }
    python: |
      import platform
      print("added up on", platform.node())
`;
}
