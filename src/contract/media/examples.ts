import type { MediaJob } from './job.ts'

const running: MediaJob = {
  jobId: 'job_01JQ8ZK4T7N2',
  status: 'queued',
  operation: 'media.video',
  reservedCredits: 10,
  chargeId: 'chg_01JQ8ZK4T7N2',
  prompt: 'A paper boat on a calm lake',
  provider: 'media_provider_a',
  seconds: 2,
  size: '480x270',
  testOnly: true,
  progress: 0,
  createdAt: '2026-09-03T08:00:00.000Z',
  updatedAt: '2026-09-03T08:00:00.000Z',
  finishedAt: null,
  cancelRequestedAt: null,
  error: null,
  content: null,
  resolution: null,
}

const completed: MediaJob = {
  ...running,
  status: 'completed',
  progress: 100,
  updatedAt: '2026-09-03T08:00:06.000Z',
  finishedAt: '2026-09-03T08:00:06.000Z',
  content: {
    url: `/v1/media/jobs/${running.jobId}/content`,
    contentType: 'video/mp4',
    bytes: 18_578,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    expiresAt: '2026-09-10T08:00:06.000Z',
  },
}

export const mediaExamples = { running, completed, request: { prompt: running.prompt, seconds: running.seconds } }
