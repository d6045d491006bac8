import { useSearchParams } from 'wouter'

/** A filter in the address: a link opens the same view, and Back undoes it. The usual value is left out. */
export function useAddressFilter<Value extends string>(
  name: string,
  known: readonly Value[],
  usual: NoInfer<Value>,
): [Value, (next: Value) => void] {
  const [params, setParams] = useSearchParams()
  const given = params.get(name)
  const value = known.find((one) => one === given) ?? usual
  function choose(next: Value) {
    const changed = new URLSearchParams(params)
    if (next === usual) changed.delete(name)
    else changed.set(name, next)
    setParams(changed)
  }
  return [value, choose]
}
