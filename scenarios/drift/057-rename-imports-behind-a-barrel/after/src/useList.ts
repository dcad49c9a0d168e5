import { useRef } from './hooksImports'

export function useList(value: number[]) {
  return useRef(value)
}
