/** Counts by bucket: bucket `i` holds values up to `bounds[i]`, the last one all above. */
export interface Histogram {
  readonly size: number
  readonly bucketOf: (value: number) => number
  /** The upper bound of the bucket that the share of all counts falls into; null without counts. */
  readonly percentile: (counts: Iterable<number>, share: number) => number | null
}

/** `bounds` ascend. */
export function histogram(bounds: readonly number[]): Histogram {
  return {
    size: bounds.length + 1,
    bucketOf(value) {
      let [low, high] = [0, bounds.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (value <= bounds[middle]!) high = middle
        else low = middle + 1
      }
      return low
    },
    percentile(counts, share) {
      const list = [...counts]
      const total = list.reduce((sum, count) => sum + count, 0)
      if (total === 0) return null
      let seen = 0
      const bucket = list.findIndex((count) => {
        seen += count
        return seen >= share * total
      })
      return bounds[Math.min(bucket, bounds.length - 1)]!
    },
  }
}
