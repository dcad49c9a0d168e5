import { useRef } from './hooksImports'

export function useMap(value: Map<string, number>) {
  return useRef(value)
}
