import { useRef } from './hooksImports'

export function useValue(value: number) {
  return useRef(value)
}
