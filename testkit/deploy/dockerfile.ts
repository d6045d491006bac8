export interface DockerStep {
  readonly instruction: string
  readonly text: string
}

export interface DockerStage {
  readonly image: string
  readonly name: string | null
  readonly steps: readonly DockerStep[]
}

/** The stages of a Dockerfile, without comments. */
export function parseDockerfile(text: string): DockerStage[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const stages: (DockerStage & { steps: DockerStep[] })[] = []
  for (const line of lines) {
    const [, instruction, rest] = /^(\S+)\s+(.*)$/.exec(line)!
    if (instruction === 'FROM') {
      const [, image, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest!)!
      stages.push({ image: image!, name: name ?? null, steps: [] })
    } else stages.at(-1)!.steps.push({ instruction: instruction!, text: rest! })
  }
  return stages
}

export interface CopyStep {
  /** The stage to copy from; null for the folder of the build. */
  readonly from: string | null
  readonly sources: readonly string[]
  readonly to: string
}

export function parseCopy({ text }: DockerStep): CopyStep {
  const [, from, rest] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(text)!
  const paths = rest!.split(/\s+/)
  return { from: from ?? null, sources: paths.slice(0, -1), to: paths.at(-1)! }
}

/** The command of a CMD or HEALTHCHECK in its JSON form. */
export const parseCommand = ({ text }: DockerStep): string[] => JSON.parse(text.slice(text.indexOf('[')))
