/*
 * The machine code of the runtime: it switches fibers, starts a fiber, returns from signals, and makes the clone whose
 * child continues with registers prepared for it.
 */
	.text

/*
 * void arch_switch(struct fiber *from, struct fiber *to)
 *
 * Saves on from's stack the callee-saved registers, the floating point control words and the exceptions that x87 has
 * raised (the control word of the vector registers includes theirs), then continues `to`.  struct fiber begins with
 * {void *sp; uint64_t fs}.  wrfsbase needs no syscall.
 */
	.globl	arch_switch
	.hidden	arch_switch
	.type	arch_switch, @function
arch_switch:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r13, 0
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r14, 0
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r15, 0
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	fnstsw	%ax
	andl	$0x3f, %eax
	movw	%ax, 6(%rsp)
	movl	%eax, %r8d
	movl	(%rsp), %eax
	movzwl	4(%rsp), %ecx
	movq	%rsp, (%rdi)
	movq	(%rsi), %rsp
	movq	8(%rsi), %rdx
	wrfsbase %rdx
	cmpl	(%rsp), %eax	/* loading a control word costs more than all the rest, so only if it differs */
	jne	1f
	cmpw	4(%rsp), %cx
	jne	1f
	cmpw	6(%rsp), %r8w
	je	2f
1:	ldmxcsr	(%rsp)
	movl	4(%rsp), %ecx
	fnstenv	-28(%rsp)
	movw	%cx, -28(%rsp)
	shrl	$16, %ecx
	andw	$~0x80ff, -24(%rsp)	/* the exceptions, and the bits that summarise them */
	orw	%cx, -24(%rsp)
	fldenv	-28(%rsp)
2:	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%r15
	.cfi_adjust_cfa_offset -8
	popq	%r14
	.cfi_adjust_cfa_offset -8
	popq	%r13
	.cfi_adjust_cfa_offset -8
	popq	%r12
	.cfi_adjust_cfa_offset -8
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	popq	%rbp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	arch_switch, . - arch_switch

/*
 * arch_start: a new fiber's first switch returns here.  Its stack holds the fifteen general registers of the thread
 * that called clone, in the order popped here, then the address to continue at.  Above that begins the thread's own
 * stack.
 */
	.globl	arch_start
	.hidden	arch_start
	.type	arch_start, @function
arch_start:
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rbp
	popq	%rbx
	popq	%rdx
	popq	%rcx
	popq	%rax
	ret
	.size	arch_start, . - arch_start

/*
 * long arch_clone_into(long flags, void *sp, int *ptid, int *ctid, long tls)
 *
 * clone(2) for a child that shares our memory while we wait for it (vfork, posix_spawn).  `sp` was prepared like a new
 * fiber's stack (registers, then the address), and the child continues from it.  The parent returns as usual.
 */
	.globl	arch_clone_into
	.hidden	arch_clone_into
	.type	arch_clone_into, @function
arch_clone_into:
	movq	%rcx, %r10
	movl	$56, %eax
	syscall
	testq	%rax, %rax
	jz	arch_start
	ret
	.size	arch_clone_into, . - arch_clone_into

/*
 * arch_restorer: signal handlers return here.  Unwinders recognise a signal frame by exactly these two instructions and
 * by the absence of unwind information, so neither may change.
 */
	.globl	arch_restorer
	.hidden	arch_restorer
	.type	arch_restorer, @function
	.p2align 4
	nop
arch_restorer:
	movq	$15, %rax
	syscall
	.size	arch_restorer, . - arch_restorer

/*
 * void omen_slow_loop(const struct omen_site *site)   (preserve_most)
 *
 * Keeps every general register and passes them to hook_loop(site, registers): whether a loop is endless depends on all
 * of them.  The caller does not expect r11 to survive: its place, which comes first, holds 0.
 */
	.globl	omen_slow_loop
	.type	omen_slow_loop, @function
omen_slow_loop:
	.cfi_startproc
	.irp	r, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r12, r13, r14, r15
	pushq	%\r
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %\r, 0
	.endr
	pushq	$0
	.cfi_adjust_cfa_offset 8
	movq	%rsp, %rsi
	call	hook_loop
	.irp	r, r11, r15, r14, r13, r12, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax
	popq	%\r
	.cfi_adjust_cfa_offset -8
	.endr
	ret
	.cfi_endproc
	.size	omen_slow_loop, . - omen_slow_loop

	.section .note.GNU-stack, "", @progbits
