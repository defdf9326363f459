/* Floating point and vector registers.  Every room of the runtime may call it. */
#ifndef OMEN_VECTORS_H
#define OMEN_VECTORS_H

#include <cpuid.h>
#include <stdint.h>

/* MXCSR, the x87 control word, and the exceptions that x87 has raised. */
static inline uint64_t arch_fp_control(void)
{
	uint32_t mxcsr;
	uint16_t control, status;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	__asm__ volatile("fnstcw %0" : "=m"(control));
	__asm__ volatile("fnstsw %0" : "=am"(status));
	return mxcsr | (uint64_t)control << 32 | (uint64_t)(status & 0x3f) << 48;
}

/* An XSAVE area, as the kernel leaves it in signal frames: the legacy part, the header, then components. */
#define XSAVE_CONTROL    0 /* x87: the control word, the status word, a tag for each register */
#define XSAVE_STATUS     2
#define XSAVE_TAGS       4
#define XSAVE_MXCSR      24
#define XSAVE_STACK      32
#define XSAVE_XMM        160
#define XSAVE_XMM_END    416
#define XSAVE_USED       512 /* bits of the components that are not in their initial state */
#define XSAVE_HEADER_END 576

#define XSAVE_HAS_X87 1ul
#define XSAVE_HAS_SSE 2ul

/* Offset and size of a component from the third on; 0 if the processor does not have it. */
static inline void arch_xsave_component(uint32_t i, uint32_t *offset, uint32_t *size)
{
	uint32_t unused;

	__cpuid_count(0xd, i, *size, *offset, unused, unused);
}

/*
 * Clears all vector registers, as every call is allowed to do.  One instruction clears as many as the processor has.
 */
static inline void arch_forget_vectors(void)
{
	/* SSE, AVX, and of AVX-512 the masks, the upper halves and the upper registers */
	const uint32_t vectors = 0xe6;
	static _Alignas(64) uint8_t initial[XSAVE_HEADER_END]; /* all components in their initial state */

	__asm__ volatile("stmxcsr %0"
	                 : "=m"(*(uint32_t *)(initial + XSAVE_MXCSR))); /* xrstor loads MXCSR in any case */
	__asm__ volatile("xrstor %0"
	                 :
	                 : "m"(initial), "a"(vectors), "d"(0)
	                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
	                   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

/* Clears the general registers that a call need not keep: a slow hook saves them all, dead ones too. */
static inline void arch_forget_registers(void)
{
	__asm__ volatile("xorl %%eax, %%eax\n\txorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\t"
	                 "xorl %%esi, %%esi\n\txorl %%edi, %%edi\n\txorl %%r8d, %%r8d\n\t"
	                 "xorl %%r9d, %%r9d\n\txorl %%r10d, %%r10d\n\txorl %%r11d, %%r11d" ::
	                         : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
}

#endif
